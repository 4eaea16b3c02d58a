import type { TreasuryAddress } from '@causeway/contract/operator-treasury.ts';
import { lazy, Suspense, useMemo, useState } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Address } from '../../../ui/address.tsx';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner, EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { type Chain, useAddresses } from '../api.ts';
import { explorerLink } from '../words.ts';

const AddressDialog = lazy(async () => ({ default: (await import('./address-dialog.tsx')).AddressDialog }));
const RemoveDialog = lazy(async () => ({ default: (await import('./remove-dialog.tsx')).RemoveDialog }));

/** The addresses to which fees may be sent. */
export function AddressBook({ chains }: { chains: readonly Chain[] }) {
  const t = useText();
  const read = useAddresses();
  const mayChange = usePermission('operator.treasury') === true;
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<TreasuryAddress | null>(null);
  const [proposalId, setProposalId] = useState<string | null>(null);
  const columns = useMemo(() => columnsOf(t, chains, mayChange ? setRemoving : null), [t, chains, mayChange]);
  return (
    <>
      {proposalId !== null && (
        <Banner
          kind="pending"
          action={
            <PlainLink href={`/app/confirmations/${proposalId}`} className="font-medium text-accent">
              {t('ops.treasury.openProposal')}
            </PlainLink>
          }
        >
          {t('ops.book.proposed')}
        </Banner>
      )}
      <DataTable
        label={t('ops.book.title')}
        columns={columns}
        rows={read.data?.addresses}
        rowId={({ id }) => id}
        error={read.data === undefined ? read.error : null}
        onRetry={() => void read.refetch()}
        skeletonRows={1}
        toolbar={
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <h2 className="m-0 text-14 font-semibold">{t('ops.book.title')}</h2>
            {mayChange && (
              <Button icon="plus" onClick={() => setAdding(true)}>
                {t('ops.book.add')}
              </Button>
            )}
          </div>
        }
        empty={<EmptyState icon="wallet" title={t('ops.book.empty')} text={t('ops.book.emptyText')} />}
      />
      <Suspense>
        {adding && <AddressDialog chains={chains} onProposed={setProposalId} onClose={() => setAdding(false)} />}
        {removing && <RemoveDialog address={removing} onClose={() => setRemoving(null)} />}
      </Suspense>
    </>
  );
}

function columnsOf(
  t: Translate,
  chains: readonly Chain[],
  onRemove: ((address: TreasuryAddress) => void) | null,
): Column<TreasuryAddress>[] {
  const explorerOf = (id: string) => chains.find((chain) => chain.id === id)?.explorerUrl ?? null;
  return [
    {
      id: 'label',
      header: t('ops.book.name'),
      card: 'title',
      cell: ({ label }) => <span className="font-medium break-words">{label}</span>,
    },
    { id: 'chain', header: t('ops.field.chain'), cell: ({ chainName }) => chainName },
    {
      id: 'address',
      header: t('ops.field.address'),
      cell: ({ address, chainId }) => (
        <Address
          short
          value={address}
          what={t('ops.field.address')}
          explorerUrl={explorerLink(explorerOf(chainId), 'address', address)}
        />
      ),
    },
    { id: 'addedAt', header: t('ops.book.addedAt'), cell: ({ addedAt }) => <Time at={addedAt} /> },
    ...(onRemove === null
      ? []
      : [
          {
            id: 'action',
            header: t('ops.fees.action'),
            cell: (address: TreasuryAddress) => (
              <Button size="small" onClick={() => onRemove(address)}>
                {t('ops.book.remove')}
              </Button>
            ),
          },
        ]),
  ];
}
