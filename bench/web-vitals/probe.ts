// Measures inside the page when changes are painted. Playwright sends these functions to the browser as source code, so each may use only
// itself and `window`.

/** The measured times are milliseconds of the page's clock. */
interface Probe {
  /** The times of the frames that showed a change of the observed elements. */
  painted: number[];
  /** The time of the last key press or click. */
  acted: number;
  /** The time when the awaited element was first painted; 0 until then. */
  appeared: number;
  longTasks: number[];
  largestPaint: number;
  layoutShift: number;
  /** Milliseconds from each key press or click to the next frame. The browser reports them in steps of 8 ms, from 16 ms. */
  interactions: number[];
  /** Starts to observe changes of the element of this selector and of its content. */
  watch: (selector: string) => void;
  /** Starts to wait for the element of this selector, and resets `appeared`. */
  await: (selector: string) => void;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/** The browser runs this function before any script of the page. */
export function installProbe(awaited: string | null): void {
  const probe = {
    painted: [],
    acted: 0,
    appeared: 0,
    longTasks: [],
    largestPaint: 0,
    layoutShift: 0,
    interactions: [],
  } as unknown as Probe;
  window.probe = probe;

  // Calls `then` after the next frame is painted. A task that is queued in a frame's callback runs after the painting of this frame.
  const afterPaint = (then: (at: number) => void): void => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => then(performance.now());
      channel.port2.postMessage(null);
    });
  };
  const observe = <Entry extends PerformanceEntry>(type: string, each: (entry: Entry) => void, options: object = {}): void =>
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => each(entry as Entry))).observe({
      type,
      buffered: true,
      ...options,
    });
  observe('longtask', (task) => void probe.longTasks.push(task.duration));
  observe('largest-contentful-paint', (paint) => (probe.largestPaint = paint.startTime));
  observe<PerformanceEntry & { value: number; hadRecentInput: boolean }>('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) probe.layoutShift += value;
  });
  observe<PerformanceEventTiming & { interactionId: number }>(
    'event',
    ({ interactionId, duration }) => void (interactionId > 0 && probe.interactions.push(duration)),
    { durationThreshold: 16 },
  );
  for (const type of ['keydown', 'click']) addEventListener(type, (event) => (probe.acted = event.timeStamp), { capture: true });

  let changes: MutationObserver | undefined;
  probe.watch = (selector) => {
    changes?.disconnect();
    probe.painted = [];
    const place = document.querySelector(selector);
    if (!place) throw new Error(`nothing is ${selector}`);
    changes = new MutationObserver(() => afterPaint((at) => void probe.painted.push(at)));
    changes.observe(place, { childList: true, characterData: true, subtree: true, attributes: true });
  };
  probe.await = (selector) => {
    probe.appeared = 0;
    const look = (): boolean => document.querySelector(selector) !== null;
    const found = (): void => afterPaint((at) => (probe.appeared = at));
    if (look()) return found();
    const arrival = new MutationObserver(() => {
      if (!look()) return;
      arrival.disconnect();
      found();
    });
    arrival.observe(document, { childList: true, subtree: true });
  };
  if (awaited !== null) probe.await(awaited);
}
