import { Icon, type IconName } from "./icons";

interface IconButtonProps {
  icon: IconName;
  /** What it does; read out, and shown when pointed at. */
  label: string;
  testId?: string;
  disabled?: boolean;
  /** Why it cannot be used now. It then stays reachable, so that the reason can be read. */
  unavailable?: string | undefined;
  small?: boolean;
  onClick: () => void;
}

export function IconButton({ icon, label, testId, disabled, unavailable, small, onClick }: IconButtonProps) {
  const words = unavailable === undefined ? label : `${label} (${unavailable})`;
  return (
    <button
      type="button"
      class={small ? "button button-icon button-small" : "button button-icon"}
      title={words}
      aria-label={words}
      aria-disabled={unavailable !== undefined}
      data-testid={testId}
      disabled={disabled}
      onClick={unavailable === undefined ? onClick : undefined}
    >
      <Icon name={icon} />
    </button>
  );
}
