import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Whether the page has been printed since the component was mounted. Components use it to render print-only content when the user prints
 * for the first time. The content then stays in the page, because phones report the end of printing too early.
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
