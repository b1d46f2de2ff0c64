// Import directions, and other rules that can be checked by line.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Allowed imports per folder, as path prefixes; `*` in `services` is the service itself. */
const MAY_IMPORT: Record<string, string[]> = {
  schemas: ['schemas/'],
  platform: ['platform/', 'schemas/'],
  controller: ['controller/', 'platform/', 'schemas/'],
  services: ['services/*/', 'platform/', 'schemas/'],
  reconcilers: ['reconcilers/', 'schemas/', 'platform/', 'controller/reconciler.ts', 'services/*/face.ts'],
  api: [
    'api/',
    'schemas/',
    'platform/http',
    'platform/core/actor.ts',
    'platform/core/problem.ts',
    'platform/async/change-feed.ts',
    'platform/core/clock.ts',
    'controller/face.ts',
    'services/*/face.ts',
  ],
  cli: [
    'cli/',
    'schemas/',
    'controller/',
    'platform/core/config.ts',
    'platform/peer/alive.ts',
    'platform/core/problem.ts',
    'platform/core/shell-word.ts',
    'platform/core/user-prefix.ts',
    'platform/git/bare-repository.ts',
    'platform/http/client.ts',
  ],
  daemon: [''],
  web: ['web/', 'schemas/', 'platform/http/client.ts'],
  bridge: ['bridge/', 'schemas/', 'platform/sandbox/', 'platform/secrets/masking/masker.ts'],
}

/** Exceptions with their reasons. */
const EXCEPTIONS: Record<string, string> = {
  'cli/svc/daemon/down.ts -> platform/peer/alive.ts': 'waits for the exit of a local process',
  'cli/svc/daemon/serve.ts -> daemon/': 'runs the daemon; loaded on demand',
  'cli/svc/live/drift-accept.ts -> platform/git/branch-commit.ts':
    'commits with the git of the caller; loaded on demand',
  'cli/svc/desired/validate.ts -> platform/files/closed-set.ts': 'refuses closed files without a daemon',
  'cli/agent/orchestrator/sandbox.ts -> daemon/package-root.ts': 'finds the program of the bridge; loaded on demand',
  'cli/svc/policy/tool-calls.ts -> daemon/': 'judges tool calls without a daemon; loaded on demand',
  'cli/svc/daemon/doctor.ts -> platform/doctor/': 'checks this machine as the daemon does; loaded on demand',
  'cli/svc/daemon/sandbox-checks.ts -> platform/doctor/': 'checks sandboxes as the daemon does; loaded on demand',
}

interface Line {
  file: string
  line: number
  text: string
}

const FOLDERS = Object.keys(MAY_IMPORT)
const files = FOLDERS.flatMap((folder) => sources(join(root, folder)))
const contents = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

function sources(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.m?tsx?$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  } catch {
    return [] // the folder does not exist yet
  }
}

/** Modules named by import, export or import(). */
function imports(file: string): { target: string; line: number }[] {
  const text = contents.get(file)!
  return [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(\s*|^\s*import\s+)(['"])([^'"\n]+)\1/gm)].map((match) => ({
    target: match[2]!,
    line: text.slice(0, match.index).split('\n').length,
  }))
}

function allowed(file: string, target: string): boolean {
  const [folder, service] = file.split('/') as [string, string]
  if (Object.keys(EXCEPTIONS).some((arrow) => `${file} -> ${target}`.startsWith(arrow))) return true
  return MAY_IMPORT[folder]!.some((prefix) => {
    if (!prefix.includes('*')) return target.startsWith(prefix)
    if (folder === 'services') return target.startsWith(prefix.replace('*', service))
    return new RegExp(`^${prefix.replace('*', '[^/]+')}`).test(target)
  })
}

/** Matching lines, without comments. */
function linesWith(pattern: RegExp, within: (file: string) => boolean): string[] {
  const found: Line[] = []
  for (const file of files.filter(within)) {
    for (const [index, text] of contents.get(file)!.split('\n').entries()) {
      if (!/^\s*(\/\/|\*|\/\*)/.test(text) && pattern.test(text.replace(/\/\/ .*$/, '')))
        found.push({ file, line: index + 1, text: text.trim() })
    }
  }
  return found.map((line) => `${line.file}:${line.line}: ${line.text}`)
}

test('allows imports in one direction only', () => {
  const turned: string[] = []
  for (const file of files) {
    for (const { target, line } of imports(file).filter((entry) => entry.target.startsWith('.'))) {
      const path = relative(root, resolve(root, dirname(file), target))
      if (path !== 'package.json' && !allowed(file, path))
        turned.push(
          `${file}:${line} imports ${path}; ${file.split('/')[0]}/ may import ${MAY_IMPORT[file.split('/')[0]!]!.join(', ')}`,
        )
    }
  }
  expect(turned).toEqual([])
})

test('requires extensions in relative imports', () => {
  const bare = files.flatMap((file) =>
    imports(file)
      .filter(({ target }) => target.startsWith('.') && !/\.(tsx?|json|css)$/.test(target))
      .map(({ target, line }) => `${file}:${line}: ${target}`),
  )
  expect(bare).toEqual([])
})

test('imports only types of schemas into the page', () => {
  const values = files
    .filter((file) => file.startsWith('web/'))
    .flatMap((file) =>
      [...contents.get(file)!.matchAll(/^(?:import|export)\s+(?!type\b)[^'"]*from\s+'([^']*\/schemas\/[^']+)'/gm)].map(
        ([, target]) => `${file}: ${target}`,
      ),
    )
  expect(values).toEqual([])
})

test('imports no screen into another one', () => {
  const crossed = files
    .filter((file) => file.startsWith('web/screens/'))
    .flatMap((file) =>
      imports(file)
        .filter(({ target }) => target.startsWith('.'))
        .map(({ target }) => relative(root, resolve(root, dirname(file), target)))
        .filter((path) => path.startsWith('web/screens/') && path.split('/')[2] !== file.split('/')[2])
        .map((path) => `${file}: ${path}`),
    )
  expect(crossed).toEqual([])
})

test('makes no HTML from text in the page', () => {
  const sinks =
    /dangerouslySetInnerHTML|\.(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(|srcdoc/
  expect(linesWith(sinks, (file) => file.startsWith('web/'))).toEqual([])
})

test('imports the daemon statically in no command', () => {
  const statics = files.filter(
    (file) =>
      file.startsWith('cli/') &&
      /^(import|export)\s+(?!type\b)[^'"]*from\s*['"][^'"]*\/daemon\//m.test(contents.get(file)!),
  )
  expect(statics).toEqual([])
})

test('loads no parser of commands or cron expressions in service clients', () => {
  const statics = (file: string) =>
    [...contents.get(file)!.matchAll(/^(?:import|export)\s+(?!type\b)[^'"]*from\s+'([^']+)'/gm)].map(
      ([, target]) => target!,
    )
  const reached = new Set(['schemas/operations/services.ts'])
  const packages = new Set<string>()
  for (const file of reached)
    for (const target of statics(file)) {
      if (target.startsWith('.')) reached.add(relative(root, resolve(root, dirname(file), target)))
      else packages.add(target)
    }
  expect(packages).toContain('typebox')
  for (const parser of ['unbash', 'croner']) expect(packages).not.toContain(parser)
})

test('no schema loads the type engine of TypeBox', () => {
  const engine = /\bType\.(Record|Pick|Omit|Partial|Required|KeyOf|Index|Extract|Exclude|Evaluate)\(/
  expect(linesWith(engine, (file) => file.startsWith('schemas/'))).toEqual([])
})

test('reads the time only in the clock', () => {
  const exempt = (file: string) =>
    file === 'platform/core/clock.ts' || file.startsWith('bridge/') || file.startsWith('cli/')
  expect(linesWith(/\bDate\.now\(\)|new Date\(\)/, (file) => !exempt(file))).toEqual([])
})

test('imports typebox as a namespace, which allows tree shaking', () => {
  expect(linesWith(/^import (?!type )(\w|\{ Type\b).*'typebox'/, () => true)).toEqual([])
})

test('reads the environment only in the configuration', () => {
  const exempt = (file: string) => file === 'platform/core/config.ts' || file.startsWith('bridge/')
  expect(linesWith(/\bprocess\.env\b/, (file) => !exempt(file))).toEqual([])
})

test('names no kind in the controller', () => {
  const literal =
    /(['"`])(agents?|workflows?|polic(y|ies)|rooms?|repositor(y|ies)|Agent|Workflow|Policy|Room|Repository)(\/[^'"`]*)?\1/
  expect(linesWith(literal, (file) => file.startsWith('controller/'))).toEqual([])
})

test('limits files to 400 lines', () => {
  const long = files
    .map((file) => ({ file, lines: contents.get(file)!.split('\n').length }))
    .filter(({ lines }) => lines > 400)
  expect(long).toEqual([])
})
