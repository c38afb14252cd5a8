import type { ConnectionState } from "../../connection/socket";
import { useStudio } from "../../studio/studio";
import { unreachable } from "../../unreachable";

/** The dot beside the product's name; the banner explains a lost connection. */
export function ConnectionStatus() {
  const { connection } = useStudio().state.value;
  return (
    <span class="connection" data-testid="connection" data-phase={connection.phase}>
      <span class="connection-dot" />
      <span class="connection-label">{label(connection)}</span>
    </span>
  );
}

function label(connection: ConnectionState): string {
  switch (connection.phase) {
    case "open":
      return "Connected";
    case "connecting":
      return "Connecting…";
    case "waiting":
      return "Disconnected";
    case "incompatible":
      return "Out of date";
    default:
      return unreachable(connection);
  }
}
