// Judges commands of 4 KB under every built-in policy, without and with a sandbox.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../platform/core/config.ts'
import { ClosedSet } from '../../platform/files/closed-set.ts'
import { PRESETS } from '../../schemas/tools/presets/index.ts'
import { canonicalPolicy } from '../../schemas/tools/policy.ts'
import { judge } from '../../services/orchestrator/policy/judge.ts'
import { median, print, quantile, within } from './report.ts'

const ROUNDS = 40
const LENGTH = 4096
const MOST_MS = 15

/** Each repeats until the command is long enough. */
const PARTS: Record<string, string> = {
  'commands in a chain': 'npm test && git diff --stat | grep -c src && ',
  'a loop over files': 'for f in src/*.ts; do sed -n 1,5p "$f" | grep -v "^import"; done; ',
  'files of a here-document': 'export const name = "value of a member" // of the record\n',
  'arguments of one program': 'src/services/orchestrator/policy/file.ts ',
}

function command(what: string): string {
  const part = PARTS[what]!
  const text = part.repeat(Math.ceil(LENGTH / part.length))
  if (what.startsWith('files')) return `cat > notes.ts <<'EOF'\n${text}EOF`
  return what.startsWith('arguments') ? `npx eslint ${text}` : `${text}true`
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-bench-policy-')))
const place = { workingDir: folder, home: folder, closed: new ClosedSet(readConfig({ HOME: folder })) }
const times: number[] = []
for (let round = 0; round <= ROUNDS; round++)
  for (const preset of PRESETS)
    for (const what of Object.keys(PARTS))
      for (const isSandboxed of [false, true]) {
        const policy = canonicalPolicy(preset, 'allow_all')
        const input = { command: command(what) }
        const begin = performance.now()
        judge(policy, 'Bash', input, { ...place, isSandboxed })
        if (round > 0) times.push(performance.now() - begin)
      }
print('a decision about a command of 4 KB, median', median(times), 'ms')
within('a decision about a command of 4 KB, p99', quantile(times, 0.99), MOST_MS, 'ms')
rmSync(folder, { recursive: true })
