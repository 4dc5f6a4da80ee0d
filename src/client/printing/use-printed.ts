import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Whether the page was printed since it is shown: what only paper needs is rendered for the first print, and stays for phones that say too early that they are done. */
export function usePrinted(): boolean {
  const [isPrinted, setIsPrinted] = useState(false);
  useEffect(() => {
    const render = (): void => flushSync(() => setIsPrinted(true));
    addEventListener('beforeprint', render);
    return () => removeEventListener('beforeprint', render);
  }, []);
  return isPrinted;
}
