import { Download } from 'lucide-react';
import { use, useCallback, useState, type ReactNode } from 'react';
import { CallContext } from '../../client/api/use-calls.ts';
import { download } from '../../client/api/download.ts';
import { ERROR } from '../../client/texts.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { exportCustomerData, exportOwnData, type PersonalData } from './contract.ts';
import { CUSTOMER_FILE, DOWNLOAD_DATA, DOWNLOAD_FAILED, DOWNLOAD_MY_DATA, MY_DATA, MY_DATA_LEAD, OWN_FILE } from './texts.ts';

const JSON_TYPE = 'application/json';

async function saveAsFile(fileName: string, actionKey: string, read: () => Promise<PersonalData>): Promise<void> {
  try {
    download(fileName, JSON.stringify(await read(), null, 2), JSON_TYPE);
  } catch {
    toast({ title: ERROR, description: DOWNLOAD_FAILED, variant: 'destructive', actionKey });
  }
}

export function useDownloadCustomerData(): (userId: number) => void {
  const call = use(CallContext);
  return useCallback(
    (userId) => void saveAsFile(CUSTOMER_FILE, DOWNLOAD_DATA, () => call(exportCustomerData, { params: { userId } })),
    [call],
  );
}

export function DownloadMyData(): ReactNode {
  const call = use(CallContext);
  const [isLoading, setIsLoading] = useState(false);
  const save = async (): Promise<void> => {
    setIsLoading(true);
    await saveAsFile(OWN_FILE, DOWNLOAD_MY_DATA, () => call(exportOwnData));
    setIsLoading(false);
  };
  return (
    <section className="mt-7 grid gap-3 border-t border-line pt-6">
      <h3 className="font-semibold">{MY_DATA}</h3>
      <p className="text-s text-ink-soft">{MY_DATA_LEAD}</p>
      <Button className="md:justify-self-start" icon={<Download aria-hidden />} isLoading={isLoading} onClick={() => void save()}>
        {DOWNLOAD_MY_DATA}
      </Button>
    </section>
  );
}
