import { once } from "node:events";
import { connect, createServer } from "node:net";

/** A line between page and server that can be cut, mended and led to another server. */
export class Line {
  #server;
  #whole = true;
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

  stop() {
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
    page.pipe(server);
    server.pipe(page);
  }
}
