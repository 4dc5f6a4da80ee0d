// The bare page is the minimum that React needs: a field whose text is displayed, and a button that shows another heading.
import { useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

function Page(): ReactNode {
  const [text, setText] = useState('');
  const [isOther, setIsOther] = useState(false);
  return (
    <>
      <h1 id={isOther ? 'other' : 'first'}>{isOther ? 'The other page' : 'The bare page'}</h1>
      <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />
      <output>{text}</output>
      <button type="button" onClick={() => setIsOther(!isOther)}>
        Change
      </button>
    </>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Page />);
