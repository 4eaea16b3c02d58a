import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';
import { useAdministrators } from '../api.ts';
import { useMe } from '../me.ts';

/** Says before a proposal is made that another administrator has to confirm it, and what to do where there is none. */
export function SecondNote() {
  const t = useText();
  const me = useMe();
  const administrators = useAdministrators(true).data?.items;
  const isAlone = me !== undefined && administrators?.every(({ id }) => id === me.id) === true;
  return <Banner kind={isAlone ? 'pending' : 'notice'}>{t(isAlone ? 'ops.second.alone' : 'ops.second.note')}</Banner>;
}
