import { useEffect, useRef, useState } from 'react';

export interface ImportPreviewOptions<Plan> {
  /** `onProgress` hears which part (0 to 1) is read. */
  read: (bytes: Uint8Array, onProgress: (part: number) => void) => Promise<Plan>;
  /** Why nothing of the file can be used, as a sentence; else null. */
  refusalOf: (plan: Plan) => string | null;
}

export interface ImportPreviewState<Plan> {
  plan: Plan | null;
  fileName: string;
  /** Which part of the chosen file is read; null: none is being read. */
  read: number | null;
  problem: string | null;
  choose: (file: File) => Promise<void>;
  forget: () => void;
}

/** What a chosen file would do, before anything is written. A file that is chosen later, or a closed dialog, makes it void. */
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
  return { plan, fileName, read, problem, choose, forget: () => setPlan(null) };
}
