import { Dialog } from "../common/Dialog";
import { IconButton } from "../common/IconButton";
import { KeyForm } from "./KeyForm";

const PROVIDERS = [
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
        <IconButton icon="x" label="Close" onClick={onClose} />
      </header>
      <div class="key-steps">
        <p>The server calls the provider's models with your API key. Keys stay on the server.</p>
        <KeyForm />
        <p>A key can also be set in the server's environment before it starts:</p>
        <dl>
          {PROVIDERS.map(({ name, variable, keys }) => (
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
            <dt>Local models, without a key</dt>
            <dd>
              Ollama, LM Studio, llama.cpp and vLLM are detected automatically; their models are in the list.
            </dd>
          </div>
        </dl>
        <p class="muted">
          This session is kept: after a restart, choose the model in the model list. Docker and service files
          use the same variables.
        </p>
      </div>
    </Dialog>
  );
}
