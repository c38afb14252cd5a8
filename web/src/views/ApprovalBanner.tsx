import { useStudio } from "../studio";

/** Outside tools ask before they run. */
export function ApprovalBanner() {
  const studio = useStudio();
  const { approvals } = studio.state.value;
  return (
    <>
      {approvals.map(({ call_id, name, args }) => (
        <div class="approval-banner" role="alertdialog" aria-label={`Allow ${name}?`} key={call_id}>
          <p>
            The model wants to use the outside tool <strong>{name}</strong>:
          </p>
          <pre>{JSON.stringify(args, null, 2)}</pre>
          <div class="approval-answers">
            <button type="button" class="button button-primary" onClick={() => studio.approve(call_id, true)}>
              Allow
            </button>
            <button
              type="button"
              class="button button-outlined"
              onClick={() => studio.approve(call_id, false)}
            >
              Do not allow
            </button>
          </div>
        </div>
      ))}
    </>
  );
}
