// Who may call which operation, derived from its guard, role and identity.
import { identityOf, isWrite, type Operation } from '../../../schemas/operations/operation.ts'

export const CALLERS = [
  'another user',
  'an agent',
  'an agent of another user',
  'a viewer',
  'an operator',
  'an admin',
] as const
export type CallerKind = (typeof CALLERS)[number]

export type Access = 'yes' | '401' | '403'

type Rules = Pick<Operation, 'auth' | 'method' | 'role' | 'kind'> & {
  guard: string | null
  writes: boolean
  identity: string
  ownUser: boolean
}

export const rulesOf = (operation: Operation): Rules => ({
  auth: operation.auth ?? 'token',
  method: operation.method === 'GET' ? 'GET' : 'POST',
  role: operation.role,
  kind: operation.kind === 'socket' ? 'socket' : 'call',
  guard: 'guard' in operation && operation.guard !== undefined && operation.guard !== 'none' ? operation.guard : null,
  writes: isWrite(operation),
  identity: identityOf(operation),
  ownUser: 'ownUser' in operation && operation.ownUser === true,
})

export function accessOf(operation: Operation, caller: CallerKind): Access {
  const { auth, method, role, kind, guard, writes, identity, ownUser } = rulesOf(operation)
  if (auth === 'own') return '401'
  if (auth === 'open') return 'yes'
  switch (caller) {
    case 'another user':
      return method === 'GET' && kind !== 'socket' && identity === 'none' ? 'yes' : '401'
    case 'an agent':
      return guard === null ? 'yes' : '403'
    case 'an agent of another user':
      return guard === null ? (ownUser ? '401' : 'yes') : '403'
    case 'a viewer':
      return role === 'admin' || role === 'operator' || (writes && role === undefined) ? '403' : 'yes'
    case 'an operator':
      return role === 'admin' ? '403' : 'yes'
    case 'an admin':
      return 'yes'
  }
}

/** A Markdown table with one row per combination of rules. */
export function accessTable(operations: readonly { id: string; operation: Operation }[]): string {
  const rows = new Map<string, { rules: Rules; ids: string[]; operation: Operation }>()
  for (const { id, operation } of operations) {
    const rules = rulesOf(operation)
    const row = rows.get(JSON.stringify(rules)) ?? { rules, ids: [], operation }
    row.ids.push(id)
    rows.set(JSON.stringify(rules), row)
  }
  const lines = [...rows.values()]
    .map(({ rules, ids, operation }) => {
      const cells = CALLERS.map((caller) => accessOf(operation, caller))
      return `| ${describeRules(rules)} | ${ids.length} | ${ids[0]} | ${cells.join(' | ')} |`
    })
    .sort()
  const head = ['operations', 'number', 'example', ...CALLERS]
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines].join('\n')
}

function describeRules({ auth, method, role, kind, guard, writes, identity, ownUser }: Rules): string {
  if (auth === 'own') return 'agent socket, with its own secret'
  if (auth === 'open') return writes ? 'webhook, sign-in' : 'health'
  const what = kind === 'socket' ? 'socket' : writes ? 'write' : method === 'GET' ? 'read' : 'read by POST'
  const details = [
    ...(guard === null ? [] : [`guard \`${guard}\``]),
    ...(role === undefined ? [] : [`role \`${role}\``]),
    ...(!writes && identity === 'caller' ? ['as the caller'] : []),
    ...(ownUser ? ['own user only'] : []),
  ]
  return [what, ...details].join(', ')
}
