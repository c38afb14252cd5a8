import { once } from "node:events";
import { connect, createServer } from "node:net";
import { Transform } from "node:stream";

/** A line between page and server that can be cut, mended, led to another server, and made as bad as lines get. */
export class Line {
  #server;
  #whole = true;
  /** What comes is held back while this is there. */
  #silence = null;
  /** Milliseconds that the next piece is late. */
  #lateness = () => 0;
  #sockets = new Set();
  #listener = createServer((page) => this.#accept(page));

  static async to(serverUrl) {
    const line = new Line();
    line.leadTo(serverUrl);
    line.#listener.listen(0, "127.0.0.1");
    await once(line.#listener, "listening");
    return line;
  }

  get url() {
    return `http://127.0.0.1:${this.#listener.address().port}`;
  }

  leadTo(serverUrl) {
    this.#server = new URL(serverUrl);
  }

  /** Drops every connection and every new one. */
  cut() {
    this.#whole = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend() {
    this.#whole = true;
  }

  /**
   * Connections stay, but nothing comes through any more, as when the other side has gone away without a
   * word. What was held back is lost for connections that are cut, and delivered when the line `speaks`.
   */
  fallSilent() {
    if (this.#silence !== null) return;
    let end;
    const over = new Promise((resolve) => {
      end = resolve;
    });
    this.#silence = { over, end };
  }

  speak() {
    this.#silence?.end();
    this.#silence = null;
  }

  /** From now on each piece is late by what `lateness` says, in milliseconds; pieces stay in order. */
  slow(lateness) {
    this.#lateness = lateness;
  }

  stop() {
    this.speak();
    this.cut();
    this.#listener.close();
  }

  #accept(page) {
    if (!this.#whole) {
      page.destroy();
      return;
    }
    const server = connect(Number(this.#server.port), this.#server.hostname);
    for (const [socket, other] of [
      [page, server],
      [server, page],
    ]) {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    page.pipe(this.#way()).pipe(server);
    server.pipe(this.#way()).pipe(page);
  }

  /** One direction of a connection. */
  #way() {
    return new Transform({
      transform: async (piece, _, done) => {
        const late = this.#lateness();
        if (late > 0) await new Promise((resolve) => setTimeout(resolve, late));
        await this.#silence?.over;
        done(null, piece);
      },
    });
  }
}
