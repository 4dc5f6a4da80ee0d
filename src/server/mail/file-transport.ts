// When no SMTP server is set, every mail is written to a file (contract §1).
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeMailFile, type MailTransport } from './transport.ts';

/** Writes one `.eml` file per mail. The file is named after the mail's row, so writing the mail again changes nothing. */
export function fileTransport(
  folder: string,
  written: (file: string) => void,
  failed: (error: unknown) => void = () => undefined,
): MailTransport {
  return {
    async send(message, { begin }) {
      try {
        const encoded = await encodeMailFile(message);
        await begin();
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const file = join(folder, `${message.id}.eml`);
        await writeFile(`${file}.part`, encoded, { mode: 0o600 });
        await rename(`${file}.part`, file);
        written(file);
        return { status: 'sent', response: `Written to ${message.id}.eml` };
      } catch (error) {
        failed(error);
        return { status: 'again', response: 'The file could not be written.' };
      }
    },
    close: () => undefined,
  };
}
