import { Editor } from '@tinymce/tinymce-react';
import { useId, useState, type ReactNode } from 'react';
import type { Editor as TinyMCE } from 'tinymce';
import { useMedia } from '../../../client/hooks/use-media.ts';
import { chosenTheme } from '../../../client/storage/theme.ts';
import '../../../client/styles/editor.css';
import { toast } from '../../../client/toasts/toast.ts';
import { ErrorState } from '../../../client/ui/feedback/error-state.tsx';
import { Bar, Skeleton } from '../../../client/ui/feedback/skeleton.tsx';
import { MAIL_TAGS } from '../../../shared/mail/email-tags.ts';
import { CONTENT, DATA_IMAGE, HEADING, LINK, NO_EDITOR, PARAGRAPH, SMALL_HEADING } from '../texts.ts';

// The height of the editor in pixels. Spec §9 requires it, and requires that the editor is loaded from the local path /tinymce.
const HEIGHT = 400;
const PLACE = '/tinymce';
/** The tags and attributes that the editor keeps in pasted HTML. In TinyMCE's syntax, `#` keeps an element that is empty. */
const KEPT = MAIL_TAGS.map(
  (tag) => `${/^(p|div|h\d|li|td|th)$/.test(tag) ? '#' : ''}${tag}[style|href|title|colspan|rowspan|start]`,
).join();
const TOOLBAR = 'undo redo | blocks | bold italic underline | bullist numlist | weblink | removeformat';

interface MailEditorProps {
  /** The initial content. Later changes are reported by `onHtml`. */
  html: string;
  onHtml: (html: string) => void;
}

/** The rich-text editor of a mail. Showing it for the first time loads TinyMCE. */
export function MailEditor({ html, onHtml }: MailEditorProps): ReactNode {
  const isDark = useIsDark();
  const [failures, setFailures] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  const label = useId();
  const retry = (): void => {
    setFailures(failures + 1);
    setHasFailed(false);
  };
  return (
    <fieldset aria-labelledby={label} className="min-w-0">
      <p id={label} className="mb-1.5 text-s font-semibold">
        {CONTENT}
      </p>
      {hasFailed ? (
        <ErrorState text={NO_EDITOR} onRetry={retry} />
      ) : (
        <RichText
          // TinyMCE cannot change the colors of an existing editor, so a change between light and dark creates a new one.
          key={`${isDark} ${failures}`}
          html={html}
          onHtml={onHtml}
          isDark={isDark}
          // A browser does not request a script again that failed to load, unless its URL is different.
          source={`${PLACE}/tinymce.min.js${failures === 0 ? '' : `?${failures}`}`}
          onFailure={() => setHasFailed(true)}
        />
      )}
    </fieldset>
  );
}

interface RichTextProps extends MailEditorProps {
  isDark: boolean;
  source: string;
  onFailure: () => void;
}

function RichText({ html, onHtml, isDark, source, onFailure }: RichTextProps): ReactNode {
  const [initialValue] = useState(html);
  const [isReady, setIsReady] = useState(false);
  return (
    <div className="mail-editor">
      {!isReady && (
        <Skeleton className="absolute inset-0 block rounded-ctl border border-line-strong p-4">
          <Bar className="h-8 w-2/3" />
        </Skeleton>
      )}
      <Editor
        tinymceScriptSrc={source}
        licenseKey="gpl"
        initialValue={initialValue}
        onEditorChange={onHtml}
        onInit={() => setIsReady(true)}
        onScriptsLoadError={onFailure}
        onPaste={(event) => {
          if (hasPictureOnly(event.clipboardData)) toast({ title: DATA_IMAGE, variant: 'destructive' });
        }}
        init={{
          base_url: PLACE,
          suffix: '.min',
          height: HEIGHT,
          skin: isDark ? 'oxide-dark' : 'oxide',
          content_css: false,
          content_style: editorTheme(isDark),
          plugins: 'autolink link lists',
          toolbar: TOOLBAR,
          toolbar_mode: 'wrap',
          block_formats: `${PARAGRAPH}=p; ${HEADING}=h2; ${SMALL_HEADING}=h3`,
          preview_styles: 'font-family font-size font-weight',
          menubar: false,
          statusbar: false,
          contextmenu: false,
          promotion: false,
          branding: false,
          // The editor renders its popups inside the dialog, because the focus cannot leave the dialog.
          ui_mode: 'split',
          setup: addLinkButton,
          link_quicklink: true,
          link_default_protocol: 'https',
          link_assume_external_targets: 'https',
          convert_urls: false,
          paste_data_images: false,
          valid_elements: KEPT,
          invalid_elements: 'img',
          browser_spellcheck: true,
          iframe_aria_text: CONTENT,
          iframe_attrs: { title: CONTENT },
        }}
      />
    </div>
  );
}

function useIsDark(): boolean {
  const isSystemDark = useMedia('(prefers-color-scheme: dark)');
  const chosen = chosenTheme();
  return chosen === 'system' ? isSystemDark : chosen === 'dark';
}

/**
 * Returns CSS with which the editor shows its content as the mail will look. The editor has its own document, to which the page's styles do
 * not apply.
 */
function editorTheme(isDark: boolean): string {
  const [card, ink, line, accent] = isDark ? ['#251d19', '#efebe2', '#8f8378', '#f09a97'] : ['#ffffff', '#2b1e19', '#998c80', '#932030'];
  return `html { background: ${card}; color-scheme: ${isDark ? 'dark' : 'light'}; }
body { margin: 16px; background: ${card}; color: ${ink}; font: 16px/1.55 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4 { margin: 0 0 12px; font-family: Georgia, 'Times New Roman', serif; font-weight: 600; line-height: 1.25; }
p { margin: 0 0 14px; }
a { color: ${accent}; }
hr { border: 0; border-top: 1px solid ${line}; }`;
}

/**
 * Adds a button that shows the link form inside the editor. The link plugin's own button opens a window outside of the dialog, where it
 * cannot get the focus.
 */
function addLinkButton(editor: TinyMCE): void {
  editor.ui.registry.addButton('weblink', { icon: 'link', tooltip: LINK, onAction: () => void editor.execCommand('mceLink') });
}

const hasPictureOnly = (pasted: DataTransfer | null): boolean =>
  pasted !== null && !pasted.types.includes('text/html') && [...pasted.files].some((file) => file.type.startsWith('image/'));

/** Whether a menu or the link form of the editor is open. If so, Escape must close it and not the dialog. */
export const hasEditorPopup = (): boolean => document.querySelector('.tox-silver-popup-sink :is(.tox-menu, .tox-pop)') !== null;

/** Whether the HTML has no visible text. An empty editor still contains an empty paragraph. */
export function isBlank(html: string): boolean {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return (body.textContent ?? '').replace(/[\s\u00a0\u200b]/g, '') === '';
}
