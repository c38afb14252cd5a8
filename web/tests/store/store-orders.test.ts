import { expect, test } from "vitest";
import schema from "../../../docs/protocol.schema.json";
import { type Decoded, decodeMessage } from "../../src/protocol/decode";
import { initialState, type StudioEvent, type StudioState } from "../../src/store/state";
import { randomOf } from "../support/fake-scene";
import { FakeSession } from "../support/fake-session";
import { play, said } from "../support/store-events";

/** Sessions that are played, and how many things happen in each. */
const SESSIONS = 60;
const STEPS = 80;

const LOST: StudioEvent = {
  type: "connection",
  connection: { phase: "waiting", attempt: 1, retryAtMs: 0 },
};
const BACK: StudioEvent = { type: "connection", connection: { phase: "open" } };

test("after every legal event, whatever the line does, the page shows what one sees who comes then", () => {
  const met = new Set(["welcome"]);
  for (let seed = 1; seed <= SESSIONS; seed += 1) {
    const random = randomOf(seed);
    const session = new FakeSession(random);
    let state = play(initialState, said(session.welcome()));
    for (let step = 0; step < STEPS; step += 1) {
      const events = Array.from({ length: Math.ceil(4 * random() ** 3) }, () => session.step());
      for (const { type } of events) met.add(type);
      const aside = session.aside();
      met.add(aside.type);
      const told = events.map(said);
      // Nothing that a message without a number says stays, but what it is about.
      state = play(state, said(aside));
      const chance = random();
      if (chance < 0.75) state = play(state, ...told);
      else if (chance < 0.85) state = resumed(state, session, random);
      else if (chance < 0.95) state = play(state, LOST, BACK, said(session.welcome()));
      else {
        // The log was lost: the numbers begin anew.
        session.epoch = `e${step + 2}`;
        state = play(state, LOST, BACK, said(session.welcome()));
      }
      const fresh = play(initialState, said(session.welcome()));
      expect(lasting(state), `seed ${seed}, step ${step}`).toEqual(lasting(fresh));
    }
  }
  expect([...met].sort(), "every type was told").toEqual(TYPES);
});

test("the page knows every type of message that the protocol has", () => {
  const kinds = TYPES.map((type) => decodeMessage(JSON.stringify({ type })).kind);
  expect(new Set<Decoded["kind"]>(kinds)).toEqual(new Set(["message"]));
});

/** By the published schema, not by the page's own types. */
const TYPES = schema.$defs.ServerMessage.oneOf.map(({ properties }) => properties.type.const).sort();

/** The line breaks, perhaps in the middle of it all; the missed events follow, some of them for the second time. */
function resumed(before: StudioState, session: FakeSession, random: () => number): StudioState {
  const seen = before.session?.seq ?? 0;
  const missed = session.log.slice(seen);
  const heard = missed.slice(0, Math.floor(random() * missed.length));
  const state = play(before, ...heard.map(said), LOST, BACK);
  const after = state.session?.seq ?? 0;
  const again = Math.max(0, after - Math.floor(3 * random()));
  return play(
    state,
    said(session.welcome({ resumed: true, seq: after })),
    ...session.log.slice(again).map(said),
    { type: "caught_up" },
  );
}

/** What of a state is the session's, and not of this page or this moment. */
function lasting(state: StudioState) {
  const { session, name, branch, branches, chat, document, running, approvals } = state;
  const { revision, canUndo, canRedo, model, usage, access, durable } = state;
  const ofSession = { session, name, branch, branches, running, approvals, revision, access, durable };
  return { ...ofSession, canUndo, canRedo, model, usage, chat, scene: document.scene };
}
