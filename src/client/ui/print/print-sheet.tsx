import { createPortal } from 'react-dom';
import type { ReactNode } from 'react';

/** While a PrintSheet is rendered, the browser prints only its content and nothing else of the page. */
export const PrintSheet = ({ children }: { children: ReactNode }): ReactNode =>
  createPortal(<div className="print-sheet">{children}</div>, document.body);
