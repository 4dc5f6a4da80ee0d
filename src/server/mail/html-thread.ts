// This script of a worker thread sanitizes the HTML of mails.
import { parentPort } from 'node:worker_threads';
import { checkMailHtml } from './html.ts';
import { lowerThreadPriority } from '../thread-pool.ts';

lowerThreadPriority();

parentPort?.on('message', (html: string) => {
  void checkMailHtml(html).then((checked) => parentPort?.postMessage(checked));
});
