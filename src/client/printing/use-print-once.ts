import { useEffect, useRef } from 'react';

const MAX_WAIT = 2_000;

async function paperIsReady(): Promise<void> {
  // A forced layout makes the browser start loading the fonts.
  document.body.getBoundingClientRect();
  const pictures = [...document.images].map((image) => image.decode().catch(() => undefined));
  const late = new Promise((resolve) => setTimeout(resolve, MAX_WAIT));
  await Promise.race([late, Promise.all([document.fonts.ready, ...pictures])]);
}

/** Opens the print dialog once, when the content is rendered (contract §10). */
export function usePrintOnce(isReady: boolean): void {
  const isPrinted = useRef(false);
  useEffect(() => {
    if (!isReady || isPrinted.current) return;
    let isGone = false;
    void paperIsReady().then(() => {
      if (isGone) return;
      isPrinted.current = true;
      window.print();
    });
    return () => {
      isGone = true;
    };
  }, [isReady]);
}
