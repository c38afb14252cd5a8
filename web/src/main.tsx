import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/chat.css";
import "./styles/starters.css";
import "./styles/composer.css";
import "./styles/goal.css";
import "./styles/messages.css";
import "./styles/sessions.css";
import "./styles/tools.css";
import "./styles/view.css";
import "./styles/presentation.css";
import "./styles/render-strip.css";
import "./styles/document.css";
import "./styles/fields.css";
import "./styles/palette.css";
import "./styles/render-dialog.css";
import "./styles/timeline.css";
import "./styles/toasts.css";
import "./styles/context-menu.css";
import "./styles/touch.css";
import { render } from "preact";
import { applyTheme, preferredTheme } from "./preferences";
import { Studio, StudioProvider } from "./studio/studio";
import { App } from "./views/App";

applyTheme(preferredTheme(), false);

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no #app");

const studio = new Studio(new URL(".", document.baseURI));
render(
  <StudioProvider value={studio}>
    <App />
  </StudioProvider>,
  root,
);
studio.start();
