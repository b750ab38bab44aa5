import { useSession } from '#components/data/session.ts';

/** Whether a form that the address asks for may open: not for a viewer, and not before it is known who looks. */
export function useMayOpenForm(): boolean {
  const role = useSession().data?.role;
  return role !== undefined && role !== 'viewer';
}
