type Facts = Readonly<Record<string, unknown>>

/** Redundant fields, and fields for programs only; `SVC_LOG_FORMAT=json` includes them. */
const LEFT_OUT = new Set([
  'level',
  'time',
  'msg',
  'name',
  'service',
  'request_id',
  'agent_id',
  'path',
  'pid',
  'hostname',
])

/** `POST /agents: 201, by mia, 12 ms`; `agent launched: scribe, launch 1`. */
export function logText(facts: Facts): string {
  if (typeof facts.endpoint === 'string' && typeof facts.status === 'number') return requestText(facts)
  const known = Object.entries(facts).filter(([name]) => !LEFT_OUT.has(name))
  const who = facts.name ?? facts.agent_id
  const said = [
    ...(typeof who === 'string' ? [plain(who)] : []),
    ...known.flatMap(([name, value]) => factText(name, value)),
  ]
  return said.length === 0 ? String(facts.msg) : `${String(facts.msg)}: ${said.join(', ')}`
}

function requestText({ endpoint, status, actor, tookMs, error, msg }: Facts): string {
  const parts = [
    String(status),
    ...(actor === undefined ? [] : [`by ${String(actor)}`]),
    ...(typeof tookMs === 'number' ? [`${Math.round(tookMs)} ms`] : []),
    ...(error === undefined ? [] : factText('error', error)),
  ]
  return `${msg === 'request' ? '' : `${String(msg)}: `}${String(endpoint)}: ${parts.join(', ')}`
}

function factText(name: string, value: unknown): string[] {
  if (value === null || value === undefined || value === 0 || value === '') return []
  const title = name.replaceAll('_', ' ')
  if (typeof value === 'number') return [measured(name, title, value)]
  if (typeof value === 'boolean') return value ? [title] : []
  if (name === 'actor') return [`by ${plain(value)}`]
  if (Array.isArray(value)) return value.length === 0 ? [] : [`${title} ${value.map(plain).join(' ')}`]
  if (typeof value === 'object')
    return Object.entries(value as Facts).flatMap(([inner, each]) => factText(`${name} ${inner}`, each))
  return [name === 'error' ? plain(value) : `${title} ${plain(value)}`]
}

function measured(name: string, title: string, value: number): string {
  const ms = /^(.*)_ms$/.exec(name)?.[1]
  if (ms !== undefined) return `${ms.replaceAll('_', ' ')} ${Math.round(value)} ms`
  return `${title} ${Number.isInteger(value) ? value : value.toFixed(1)}`
}

const UUID = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g

/** One line, ids shortened. */
const plain = (value: unknown): string =>
  (typeof value === 'object' && value !== null ? Object.values(value).map(String).join(' ') : String(value))
    .replace(/\s*\n\s*/g, ' | ')
    .replace(UUID, '$1')
