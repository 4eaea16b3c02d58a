import { prefixLength } from '@causeway/contract/address-forms.ts';
import type { ReactNode } from 'react';
import { useText } from '../lib/locale.tsx';
import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';

interface Props {
  /** An address or a hash, whole. */
  value: string;
  /** In tables and lines: the middle gives way, but is there on hover, when copied, and for a screen reader. */
  short?: boolean;
  /** What it is, for the copy button's name. */
  what?: string;
  copyable?: boolean;
  explorerUrl?: string | null | undefined;
  /** A look-alike of an address used before: said beside it, not in a tooltip. */
  warning?: ReactNode;
}

const edge = 6;

/** An address or hash: monospace, its first and last six characters emphasised, the middle always reachable. */
export function Address({ value, short, what, copyable = true, explorerUrl, warning }: Props) {
  const t = useText();
  const prefix = prefixLength(value);
  const cut = value.length > 2 * edge + prefix + 2;
  const head = cut ? value.slice(0, edge + prefix) : value;
  const middle = cut ? value.slice(edge + prefix, -edge) : '';
  const tail = cut ? value.slice(-edge) : '';
  return (
    <span className="inline-flex max-w-full flex-col gap-1 align-middle">
      <span className="inline-flex max-w-full items-center gap-1">
        <span
          className={classNames('min-w-0 font-mono text-13', short ? 'whitespace-nowrap' : 'break-all')}
          title={value}
        >
          {/* What one compares by eye stays in one piece. */}
          <span className="font-semibold whitespace-nowrap">{head}</span>
          {short && cut ? (
            <>
              <span aria-hidden="true" className="text-faint">
                …
              </span>
              <span className="sr-only">{middle}</span>
            </>
          ) : (
            <span className="text-muted">{middle}</span>
          )}
          <span className="font-semibold whitespace-nowrap">{tail}</span>
        </span>
        {copyable && <CopyButton text={value} {...(what !== undefined && { what })} />}
        {explorerUrl && (
          <a
            href={explorerUrl}
            target="_blank"
            rel="noreferrer noopener"
            aria-label={t('ui.address.explorer')}
            title={t('ui.address.explorer')}
            className="inline-flex size-7 shrink-0 items-center justify-center rounded-6 text-muted hover:bg-hover hover:text-text"
          >
            <Icon name="external" />
          </a>
        )}
      </span>
      {warning !== undefined && (
        <span className="inline-flex items-start gap-1.5 text-12 text-pending">
          <Icon name="warning" size={14} className="mt-px shrink-0" />
          <span>{warning}</span>
        </span>
      )}
    </span>
  );
}
