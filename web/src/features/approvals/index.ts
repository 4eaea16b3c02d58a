export { ApprovalSettings } from './components/approval-settings.tsx';
export { TodoCard } from './components/todo-card.tsx';
