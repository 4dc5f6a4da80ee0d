import { createPortal } from 'react-dom';
import type { ReactNode } from 'react';

/** While it is rendered, printing prints this and nothing else of the page. */
export const PrintSheet = ({ children }: { children: ReactNode }): ReactNode =>
  createPortal(<div className="print-sheet">{children}</div>, document.body);
