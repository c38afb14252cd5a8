import type { Remember } from "../../protocol";
import { useStudio } from "../../studio/studio";

/** Tools of MCP servers ask before they run. */
export function ApprovalBanner() {
  const studio = useStudio();
  const { approvals, limits } = studio.state.value;
  const allow = (call_id: string, label: string, kind: "primary" | "outlined", remember?: Remember) => (
    <button
      type="button"
      class={`button button-${kind}`}
      onClick={() => studio.conversation.approve(call_id, true, remember)}
    >
      {label}
    </button>
  );
  return (
    <>
      {approvals.map(({ call_id, name, args }) => (
        <div class="approval-banner" role="alertdialog" aria-label={`Allow ${name}?`} key={call_id}>
          <p>
            The model wants to use the tool <strong>{name}</strong> of an MCP server:
          </p>
          <pre>{JSON.stringify(args, null, 2)}</pre>
          <div class="approval-answers">
            {allow(call_id, "Allow once", "primary")}
            {allow(call_id, "Allow for this session", "outlined", "session")}
            {limits.standing_approvals && allow(call_id, "Always allow", "outlined", "always")}
            <button
              type="button"
              class="button button-outlined"
              onClick={() => studio.conversation.approve(call_id, false)}
            >
              Deny
            </button>
          </div>
        </div>
      ))}
    </>
  );
}
