import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../../../../services/orchestrator/policy/workplace.ts'
import { closedUnder } from '../../../services/orchestrator/policy/closed-under.ts'
import type { Group, Request } from './group.ts'

export interface Ground {
  root: string
  place(group: Group): Place
  request(request: Request): [tool: string, input: unknown]
  remove(): void
}

const FILES = [
  'app/src/a',
  'app/src/sub/b.ts',
  'app/secret/a',
  'app/secret/sub/c',
  'app/.env',
  'outside/a',
  'extra/a',
  'home/.ssh/id',
  'app/src/run',
]
const LINKS: [at: string, target: string][] = [
  ['app/src/to-secret', '../secret'],
  ['app/src/file-to-secret', '../secret/a'],
  ['app/src/to-sub', 'sub'],
  ['app/src/to-env', '../.env'],
  ['app/src/dangling', '../secret/not-there'],
  ['app/src/loop', 'loop'],
  ['app/src/to-out', '../../outside'],
  ['app/src/dot', '.'],
  ['app/loop', 'loop'],
  ['app/out', '../outside'],
  ['app/dangling-out', '../outside/not-there'],
  ['app/to-home', '../home'],
  ['app/to-extra', '../extra'],
]

export function makeGround(): Ground {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-policy-')))
  for (const file of FILES) {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), 'x')
  }
  for (const [at, target] of LINKS) symlinkSync(target, join(root, at))
  const fill = (text: string) => text.replace(/\{(app|outside|home|extra)\}/g, (_, name: string) => join(root, name))
  const place = { workingDir: join(root, 'app'), home: join(root, 'home'), closed: closedUnder(join(root, 'home')) }
  return {
    root,
    place: ({ open }) => ({ ...place, additionalDirs: open ? ['/'] : [join(root, 'extra')] }),
    request: (request) =>
      typeof request === 'string' ? ['Bash', { command: fill(request) }] : [request[0], filled(request[1], fill)],
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

function filled(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return value.map((each) => filled(each, fill))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, fill)]))
}
