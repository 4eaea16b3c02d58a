import type { Locale } from '@causeway/contract/locale.ts';
import type { NamedInPolicy, PolicyDefinition, RiskContent } from '@causeway/contract/risk.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { translate } from '../../../platform/text/texts.ts';
import { type Called, findCalled } from '../../organisation/index.ts';
import { namedIn } from './content.ts';

/** What the members, departments and roles of policies are called; deleted ones keep their names. */

export type NamedOf = (content: RiskContent) => NamedInPolicy[];

/** Reads the names of all that these contents name in one statement; none where they name no one. */
export async function readNamed(tx: Tx, contents: readonly RiskContent[], locale: Locale): Promise<NamedOf> {
  const ids = contents.flatMap(namedIn);
  const called: ReadonlyMap<string, Called> = ids.length === 0 ? new Map() : await findCalled(tx, ids, locale);
  return (content) =>
    namedIn(content).map((id) => {
      const found = called.get(id);
      return { id, name: found?.name ?? translate(locale, 'risk.value.unknown'), gone: found?.gone ?? true };
    });
}

/** A definition as the audit log reads it: names instead of ids, as they are now. */
export function withNames<T extends PolicyDefinition>(definition: T, named: NamedOf): Record<string, unknown> {
  const { content } = definition;
  const names = named(content).map(({ name }) => name);
  switch (content.dimension) {
    case 'initiator':
      return { ...definition, content: { ...content, members: names } };
    case 'department':
      return { ...definition, content: { ...content, departments: names } };
    case 'role':
      return { ...definition, content: { ...content, roles: names } };
    default:
      return { ...definition };
  }
}
