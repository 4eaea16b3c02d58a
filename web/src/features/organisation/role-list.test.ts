import { expect, test, vi } from 'vitest';
import { dispatch } from '../../lib/live.ts';
import { queryClient } from '../../lib/queries.ts';
import { roleList } from './lists/role-list.tsx';

test('the list of roles follows changes made elsewhere, also where its page alone is open', async () => {
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue();
  dispatch({ topic: 'organisation', id: null });
  await vi.waitFor(() => expect(invalidated).toHaveBeenCalledWith({ queryKey: [roleList.call.name] }), {
    timeout: 20_000,
  });
});
