import type { CardDetail } from '@causeway/contract/cards.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button, buttonClass, IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../../../ui/menu.tsx';
import { useClose, useFreeze, useUnfreeze } from '../api.ts';
import { cardsPath } from '../paths.ts';
import { dots } from '../words.ts';
import { ActivateDialog } from './activate-dialog.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { ReplaceDialog } from './replace-dialog.tsx';

type Asking = 'change' | 'activate' | 'replace' | 'close';

/** What can be done with a card, by the reader: freezing takes effect at once and is not asked about twice. */
export function CardActions({ card }: { card: CardDetail }) {
  const t = useText();
  const [asking, setAsking] = useState<Asking | null>(null);
  const freeze = useFreeze();
  const unfreeze = useUnfreeze();
  const closing = useClose();
  const { id, can } = card;
  const close = () => setAsking(null);
  const hasMore = can.change || can.replace || can.close;
  return (
    <>
      {can.activate && (
        <Button kind="primary" onClick={() => setAsking('activate')}>
          {t('cards.activate')}
        </Button>
      )}
      {can.reveal && (
        // A page of its own: only there may the issuer's frame be shown.
        <a href={`${cardsPath}/${id}/number`} className={buttonClass()}>
          {t('cards.number.show')}
        </a>
      )}
      {can.freeze && (
        <Button
          busy={freeze.isPending}
          onClick={() =>
            freeze.mutate({ body: { id, note: '' } }, { onSuccess: () => toast('success', t('cards.frozenNow')) })
          }
        >
          {t('cards.freeze')}
        </Button>
      )}
      {can.unfreeze && (
        <Button
          busy={unfreeze.isPending}
          onClick={() =>
            unfreeze.mutate({ body: { id } }, { onSuccess: () => toast('success', t('cards.unfrozenNow')) })
          }
        >
          {t('cards.unfreeze')}
        </Button>
      )}
      {hasMore && (
        <Menu trigger={<IconButton icon="more" label={t('cards.more')} />}>
          {can.change && <MenuItem onSelect={() => setAsking('change')}>{t('cards.change')}</MenuItem>}
          {can.replace && <MenuItem onSelect={() => setAsking('replace')}>{t('cards.replace')}</MenuItem>}
          {can.close && <MenuLine />}
          {can.close && (
            <MenuItem negative onSelect={() => setAsking('close')}>
              {t('cards.close')}
            </MenuItem>
          )}
        </Menu>
      )}
      {asking === 'change' && <ChangeDialog card={card} onClose={close} />}
      {asking === 'activate' && <ActivateDialog card={card} onClose={close} />}
      {asking === 'replace' && <ReplaceDialog card={card} onClose={close} />}
      <ConfirmDialog
        open={asking === 'close'}
        onOpenChange={(open) => open || close()}
        title={t('cards.close')}
        description={t('cards.close.text')}
        facts={[
          { term: t('cards.field.card'), value: [card.name, dots(card.lastFour)].filter(Boolean).join(' ') },
          { term: t('cards.field.holder'), value: card.holder.name },
        ]}
        confirmText={t('cards.close')}
        negative
        busy={closing.isPending}
        onConfirm={() =>
          closing.mutate(
            { body: { id, note: '' } },
            {
              onSuccess: () => {
                close();
                toast('success', t('cards.closedNow'));
              },
            },
          )
        }
      />
    </>
  );
}
