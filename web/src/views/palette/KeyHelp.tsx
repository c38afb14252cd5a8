import { IconButton } from "../IconButton";
import { Dialog } from "./Dialog";

const SERVICES = [
  { name: "Gemini", variable: "GEMINI_API_KEY", keys: "https://aistudio.google.com/apikey" },
  { name: "Claude", variable: "ANTHROPIC_API_KEY", keys: "https://console.anthropic.com/settings/keys" },
  { name: "GPT", variable: "OPENAI_API_KEY", keys: "https://platform.openai.com/api-keys" },
];

/** How to set a key. It goes to the server alone: the page never sees one. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="Use a language model" class="sheet key-help" testId="key-help" onClose={onClose}>
      <header class="sheet-header">
        <h2>Use a language model</h2>
        <IconButton icon="cross" label="Close" onClick={onClose} />
      </header>
      <div class="key-steps">
        <p>
          The server asks a model's service with a key of yours. Get one, put it into the server's
          environment, and start the server again. Keys stay with the server.
        </p>
        <dl>
          {SERVICES.map(({ name, variable, keys }) => (
            <div key={name} class="key-service">
              <dt>
                {name}{" "}
                <a href={keys} target="_blank" rel="noopener noreferrer">
                  get a key
                </a>
              </dt>
              <dd>
                <code>{variable}=… scene-llm serve</code>
              </dd>
            </div>
          ))}
          <div class="key-service">
            <dt>On this machine, without a key (Ollama, llama.cpp)</dt>
            <dd>
              <code>OPENAI_BASE_URL=http://localhost:11434/v1 scene-llm serve</code>
            </dd>
          </div>
        </dl>
        <p class="muted">
          This session stays as it is; once the server is back, choose the model in the list of models. Docker
          or a service file take the same variables.
        </p>
      </div>
    </Dialog>
  );
}
