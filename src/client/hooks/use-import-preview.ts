import { useEffect, useRef, useState } from 'react';
import type { FileFieldProps } from '../ui/forms/file-field.tsx';

interface ImportPreviewOptions<Plan> {
  /** Reads the file; `onProgress` receives the fraction (0 to 1) that has been read. */
  read: (bytes: Uint8Array, onProgress: (part: number) => void) => Promise<Plan>;
  /** Returns the sentence that says why the file cannot be imported, or null if it can. */
  refusalOf: (plan: Plan) => string | null;
}

interface ImportPreviewState<Plan> {
  plan: Plan | null;
  fileName: string;
  field: FileFieldProps;
  forget: () => void;
}

/** Previews the effects of a chosen file before anything is written. Choosing another file or closing the dialog discards the preview. */
export function useImportPreview<Plan>({ read: readFile, refusalOf }: ImportPreviewOptions<Plan>): ImportPreviewState<Plan> {
  const [plan, setPlan] = useState<Plan | null>(null);
  const [fileName, setFileName] = useState('');
  const [read, setRead] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef<File | null>(null);
  useEffect(
    () => () => {
      latest.current = null;
    },
    [],
  );
  const choose = async (file: File): Promise<void> => {
    latest.current = file;
    setFileName(file.name);
    setProblem(null);
    setRead(0);
    const onProgress = (part: number): void => {
      if (latest.current === file) setRead(part);
    };
    const found = await readFile(new Uint8Array(await file.arrayBuffer()), onProgress);
    if (latest.current !== file) return;
    const refusal = refusalOf(found);
    setRead(null);
    setProblem(refusal);
    setPlan(refusal === null ? found : null);
  };
  return { plan, fileName, field: { read, problem, onFile: (file) => void choose(file) }, forget: () => setPlan(null) };
}
