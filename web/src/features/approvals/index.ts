export { ApprovalSettings } from './components/approval-settings.tsx';
export { CodeProof } from './components/code-proof.tsx';
export { TodoCard } from './components/todo-card.tsx';
