/** Tells what happens in a session until its next run ends: watch-session.js URL SESSION */
import { Client } from "../src/index.js";

const [url = "", key = ""] = process.argv.slice(2);
const session = await new Client(url).open(key);
const events = session.events();
console.log(`watching '${session.welcome.name}' from event ${session.welcome.seq} on`);
for await (const event of events) {
  if (event.type === "user_message") console.log(`> ${event.text}`);
  if (event.type === "tool_started") console.log(`  ${event.name}`);
  if (event.type === "text_delta" && !event.thought) process.stdout.write(event.text);
  if (event.type === "scene_changed") console.log(`  revision ${event.revision}: ${event.changes.length} changes`);
  if (event.type === "run_finished") {
    console.log(`\n${event.reason}`);
    break;
  }
}
session.close();
