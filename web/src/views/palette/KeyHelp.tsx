import { IconButton } from "../IconButton";
import { KeyForm } from "../models/KeyForm";
import { Dialog } from "./Dialog";

const SERVICES = [
  { name: "Gemini", variable: "GEMINI_API_KEY", keys: "https://aistudio.google.com/apikey" },
  { name: "Claude", variable: "ANTHROPIC_API_KEY", keys: "https://console.anthropic.com/settings/keys" },
  { name: "GPT", variable: "OPENAI_API_KEY", keys: "https://platform.openai.com/api-keys" },
];

/** How to set a key: here, where the server allows it, or where the server is started. No page is ever told one. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="Use a language model" class="sheet key-help" testId="key-help" onClose={onClose}>
      <header class="sheet-header">
        <h2>Use a language model</h2>
        <IconButton icon="cross" label="Close" onClick={onClose} />
      </header>
      <div class="key-steps">
        <p>The server asks a provider's model with a key of yours. Keys stay with the server.</p>
        <KeyForm />
        <p>A key can also be put into the server's environment, before it is started:</p>
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
            <dt>On this machine, without a key</dt>
            <dd>
              Ollama, LM Studio, llama.cpp and vLLM are found by themselves; their models are in the list.
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
