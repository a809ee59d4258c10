// The search of this site runs in a worker, and browsers start no worker on pages that are opened as
// files. There, this runs the worker's script in a hidden frame instead: messages go both ways as
// events, and wait until the script is loaded. (The offline plugin would fetch a script for it.)
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      const empty = new Promise((resolve) => { frame.onload = resolve; });
      this.scope = empty.then(() => this.start(frame, new URL(url, location.href).href));
      document.body.append(frame);
    }

    async start(frame, url) {
      const scope = frame.contentWindow;
      const load = (source) => new Promise((resolve, reject) => {
        const script = frame.contentDocument.createElement("script");
        Object.assign(script, { src: source, onload: resolve, onerror: reject });
        frame.contentDocument.head.append(script);
      });
      scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      scope.importScripts = async (...sources) => {
        for (const source of sources) await load(source);
      };
      await load(url);
      return scope;
    }

    async postMessage(data) {
      (await this.scope).dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
