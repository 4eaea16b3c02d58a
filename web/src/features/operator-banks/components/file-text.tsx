import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';

/** What is in the file, as text: nothing in it is marked up or followed. */
export function FileText({ text, isCut }: { text: string; isCut: boolean }) {
  const t = useText();
  return (
    <Card title={t('ops.bankFile.text')} flush>
      {isCut && <p className="m-0 border-b border-line px-5 py-3 text-13 text-faint">{t('ops.bankFile.cut')}</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: no landmark and no field set */}
      <div
        role="group"
        aria-label={t('ops.bankFile.text')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        tabIndex={0}
        className="max-h-120 overflow-auto"
      >
        <pre className="m-0 p-5 text-12 break-all whitespace-pre-wrap">{text}</pre>
      </div>
    </Card>
  );
}
