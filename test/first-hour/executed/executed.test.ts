// Runs every command of README, docs/, help and hints verbatim. Exceptions are listed here with their tests.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocks, inHelp, inHints, inText, inTyped, type DocumentedCommand } from '../documented-commands.ts'
import { emitEvents, prepareCommand } from './stand-ins.ts'
import { World } from './world.ts'

let world: World
beforeAll(async () => void (world = await World.create()), 90_000)
afterAll(() => world.close())

/** Commands that cannot run here, and the tests that run them. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/svc serve/, 'starts another daemon: test/cli/serve.test.ts, test/first-hour/first-hour.test.ts'],
  [/svc down/, 'ends the daemon: test/cli/machine.test.ts, test/cli/serve.test.ts'],
  [/svc drift accept .*--branch/, 'needs a repository source: test/cli/gitops/acceptance.test.ts'],
  [/svc rollback/, 'needs a repository source: test/cli/gitops/rollback.test.ts'],
  [/(agent|orchestrator) attach/, 'needs a terminal: test/cli/attach.test.ts'],
  [/(agent|orchestrator) sandbox/, 'needs a system that runs sandboxes: test/cli/sandbox/sandbox.test.ts'],
  [/completion (zsh|fish)/, 'for another shell: test/first-hour/completion.test.ts'],
  [/^claude /, 'a third-party program'],
  [/queue-redrive-task/, 'needs a task that failed three times: test/services/orchestrator/queues/redrive.test.ts'],
  [/orchestrator withdraw/, 'needs an agent that is away: test/cli/approvals.test.ts'],
  [/agent notify retry/, 'needs a failing sink: test/services/notify'],
  [/agent wrap launch shop ~\/shop/, 'needs a user program: test/services/wrap'],
]
const reasonOf = (line: string) => NOT_RUN.find(([about]) => about.test(line))?.[1]

const ENDLESS = /^(?:\.\/bin\/)?svc .*--watch(?!\S)|\b(notify|monitor|communicate) watch\b|agent (orchestrator )?stream/
/** Commands with a non-zero exit code for findings. */
const FINDS: readonly (readonly [RegExp, number])[] = [
  [/--detailed-exitcode/, 2],
  [/svc doctor/, 1],
  // Degraded by a run without the rooms of the conductor.
  [/agent conductor health/, 1],
  // Exits with 1 on a busy machine.
  [/agent monitor status/, 1],
]

/** Commands that ask for confirmation. */
const ASKS = /agent doc delete release-plan$/

/** Text may name a command without its arguments: then its help must work. */
const NEEDS_MORE = /missing required argument|error: no \w+ given|error: the template is missing|^Usage: /

/** Returns null on success, otherwise the output. */
async function failure(line: string, isText: boolean): Promise<string | null> {
  const typed = await prepareCommand(world, line).catch((error: Error) => `exit 99 # ${error.message}`)
  const endless = ENDLESS.test(line)
  const asked = ASKS.test(line) ? `script -qec '${typed}' /dev/null <<< y` : typed
  const { code, text } = await world.run(asked, endless ? () => emitEvents(world) : undefined)
  if (isText && NEEDS_MORE.test(text)) return (await world.run(`${line} --help`)).code === 0 ? null : `${line} --help`
  const allowed = [0, ...FINDS.filter(([about]) => about.test(line)).map(([, also]) => also), ...(endless ? [130] : [])]
  return allowed.includes(code) ? null : `${line}\n  run as: ${typed}\n  exited with ${code}: ${text.slice(0, 600)}`
}

const distinct = (commands: readonly DocumentedCommand[]): string[] => [
  ...new Set(commands.map(({ line }) => line.replace(/\s+# .*$/, ''))),
]

async function run(what: string, commands: readonly DocumentedCommand[], isText = false): Promise<string[]> {
  const all = distinct(commands)
  const left = all.filter((line) => reasonOf(line) !== undefined)
  const failures: string[] = []
  for (const line of all.filter((each) => !left.includes(each))) {
    const failed = await failure(line, isText)
    if (failed !== null) failures.push(failed)
  }
  console.log(
    [
      `${what}: ${commands.length} found, ${all.length} distinct, ${all.length - left.length} run, ${left.length} tested elsewhere`,
      ...left.map((line) => `  not run: ${line} (${reasonOf(line)})`),
    ].join('\n'),
  )
  return failures
}

const groupOf = ({ line }: DocumentedCommand): string =>
  /agent (communicate|doc|memory|index|notify|ask|wrap|monitor|conductor)\b/.exec(line)?.[1] ?? 'rest'
const written = blocks()
const groups = [...new Set(written.map(groupOf))].sort()

describe('code blocks of README and docs/', () => {
  test.concurrent.each(groups)('runs the commands of %s', { timeout: 480_000 }, async (group) => {
    expect(
      await run(
        `blocks, ${group}`,
        written.filter((command) => groupOf(command) === group),
      ),
    ).toEqual([])
  })
})

test('runs the hints of the program', { timeout: 480_000 }, async () => {
  expect(await run('hints', [...inTyped(), ...inHints()], true)).toEqual([])
})

test('runs the commands in the text of README and docs/', { timeout: 480_000 }, async () => {
  const before = new Set(distinct(written))
  const commands = inText().filter(({ line }) => !before.has(line))
  expect(await run('text outside code blocks', commands, true)).toEqual([])
})

test('runs the examples in the help of each command', { timeout: 240_000 }, async () => {
  const before = new Set(distinct(written))
  const more = (await inHelp()).filter(({ line }) => !before.has(line))
  expect(await run('help outside the pages', more)).toEqual([])
})
