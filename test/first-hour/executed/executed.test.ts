// Every command of README, docs/ and the program's own hints is run as it is written, on a machine where what it names
// is there. What is not run stands here by name, with where it is tested instead.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocks, inHelp, inHints, inText, inTyped, type Told } from '../told.ts'
import { happening, readied } from './stand-ins.ts'
import { World } from './world.ts'

let world: World
beforeAll(async () => void (world = await World.create()), 90_000)
afterAll(() => world.stand.close())

/** What cannot be run beside the others, and the test that runs it. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/svc serve/, 'a daemon of its own: test/cli/serve.test.ts, test/first-hour/first-hour.test.ts'],
  [/svc down/, 'ends the daemon: test/cli/machine.test.ts, test/cli/serve.test.ts'],
  [/svc rollback/, 'wants a source that is a repository: test/cli/gitops/rollback.test.ts'],
  [/(agent|orchestrator) attach/, 'takes a terminal: test/cli/attach.test.ts'],
  [/completion (zsh|fish)/, 'for another shell: test/first-hour/completion.test.ts'],
  [/^claude /, 'a program of others'],
  [/agent notify retry/, 'wants a sink that fails: test/services/notify'],
  [/agent wrap launch shop ~\/shop/, 'wants a person’s own program: test/services/wrap'],
]
const reasonOf = (line: string) => NOT_RUN.find(([about]) => about.test(line))?.[1]

const ENDLESS = /^(?:\.\/bin\/)?svc .*--watch(?!\S)|\b(notify|monitor|communicate) watch\b|agent (orchestrator )?stream/
/** Commands whose exit code tells what they found. */
const FINDS: readonly (readonly [RegExp, number])[] = [
  [/--detailed-exitcode/, 2],
  [/svc doctor/, 1],
  // A machine that is busy is told of.
  [/agent monitor status/, 1],
]

/** A person says yes. */
const ASKS = /agent doc delete release-plan$/

/** What text calls by its name, without what it needs: its help is there. */
const NEEDS_MORE = /missing required argument|error: which \w+\?|error: the template is missing|^Usage: /

/** Null when it went well, else what it said. */
async function failure(line: string, isText: boolean): Promise<string | null> {
  const typed = await readied(world, line).catch((error: Error) => `exit 99 # ${error.message}`)
  const endless = ENDLESS.test(line)
  const asked = ASKS.test(line) ? `script -qec '${typed}' /dev/null <<< y` : typed
  const { code, text } = await world.run(asked, endless ? () => happening(world) : undefined)
  if (isText && NEEDS_MORE.test(text)) return (await world.run(`${line} --help`)).code === 0 ? null : `${line} --help`
  const allowed = [0, ...FINDS.filter(([about]) => about.test(line)).map(([, also]) => also), ...(endless ? [130] : [])]
  return allowed.includes(code) ? null : `${line}\n  run as: ${typed}\n  ended with ${code}: ${text.slice(0, 600)}`
}

const distinct = (told: readonly Told[]): string[] => [...new Set(told.map(({ line }) => line.replace(/\s+# .*$/, '')))]

async function run(what: string, told: readonly Told[], isText = false): Promise<string[]> {
  const all = distinct(told)
  const left = all.filter((line) => reasonOf(line) !== undefined)
  const failures: string[] = []
  for (const line of all.filter((each) => !left.includes(each))) {
    const failed = await failure(line, isText)
    if (failed !== null) failures.push(failed)
  }
  console.log(
    [
      `${what}: ${told.length} told, ${all.length} of them different, ${all.length - left.length} run, ${left.length} tested elsewhere`,
      ...left.map((line) => `  not run: ${line} (${reasonOf(line)})`),
    ].join('\n'),
  )
  return failures
}

const groupOf = ({ line }: Told): string =>
  /agent (communicate|doc|memory|index|notify|ask|wrap|monitor)\b/.exec(line)?.[1] ?? 'rest'
const written = blocks()
const groups = [...new Set(written.map(groupOf))].sort()

describe('code blocks of README and docs/', () => {
  test.concurrent.each(groups)('%s', { timeout: 480_000 }, async (group) => {
    expect(
      await run(
        `blocks, ${group}`,
        written.filter((told) => groupOf(told) === group),
      ),
    ).toEqual([])
  })
})

test('hints of the program', { timeout: 480_000 }, async () => {
  expect(await run('hints', [...inTyped(), ...inHints()], true)).toEqual([])
})

test('running text of README and docs/', { timeout: 480_000 }, async () => {
  const before = new Set(distinct(written))
  const told = inText().filter(({ line }) => !before.has(line))
  expect(await run('running text beside the blocks', told, true)).toEqual([])
})

test('examples in the help of each command', { timeout: 240_000 }, async () => {
  const before = new Set(distinct(written))
  const more = (await inHelp()).filter(({ line }) => !before.has(line))
  expect(await run('help beside what the pages have', more)).toEqual([])
})
