/** Receives the error of one item. If this function throws, the items after that item are not processed. */
export type OnError = (error: unknown) => void;

export const throwError: OnError = (error) => {
  throw error;
};

/**
 * Calls `act` for each item, one after the other. An error of one item is passed to `onError`, and does not prevent the calls for the other
 * items: the data of one tenant must not stop a job for all others.
 */
export async function runEach<T>(items: Iterable<T>, act: (item: T) => Promise<unknown>, onError: OnError): Promise<void> {
  for (const item of items) await act(item).catch(onError);
}
