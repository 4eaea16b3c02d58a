import { TaskList } from '../components/task-list.tsx';

export function Page() {
  return <TaskList view="pending" />;
}
