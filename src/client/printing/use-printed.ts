import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Whether the page has been printed since it was mounted: print-only content is rendered for the first print and stays, because phones
 * report the end of printing too early.
 */
export function usePrinted(): boolean {
  const [isPrinted, setIsPrinted] = useState(false);
  useEffect(() => {
    const render = (): void => flushSync(() => setIsPrinted(true));
    addEventListener('beforeprint', render);
    return () => removeEventListener('beforeprint', render);
  }, []);
  return isPrinted;
}
