import type { Output } from '@causeway/contract/call.ts';
import type { getTreasury } from '@causeway/contract/operator-treasury.ts';
import { AddressBook } from './address-book.tsx';
import { FeesTable } from './fees-table.tsx';
import { NodesTable } from './nodes-table.tsx';
import { SignerCard } from './signer-card.tsx';

/** The fees that the operator has earned, where they may go, the nodes, and the keys: the end of the treasury's page, which is loaded last. */
export function TreasuryBelow({ treasury }: { treasury: Output<typeof getTreasury> | undefined }) {
  return (
    <>
      <FeesTable />
      <AddressBook chains={treasury?.chains ?? []} />
      <NodesTable chains={treasury?.chains} />
      {treasury && <SignerCard signer={treasury.signer} chains={treasury.chains} />}
    </>
  );
}
