// Attacks of the corpus run in the sandbox of an agent without a policy, and have no effect outside it.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { NOBODY } from '../../platform/sandbox/enclosure.ts'
import { visibleFolder } from '../../platform/sandbox/visible-folder.ts'
import { counted } from '../../support/counts.ts'
import { chosen, ofPoints } from '../campaign.ts'
import { families } from './corpora/attacks.ts'
import { DEFAULTS, runConfined, type ConfinedRun, type Confinement } from './corpora/sandboxed.ts'

const BATCH = 25
const MINUTES = 10
const isRoot = process.getuid?.() === 0
const all = families.flatMap((family) => family.spellings)
const indices = chosen([...all.keys()])
const ofEffect = (isOne: (effect: string) => boolean) => indices.filter((at) => isOne(all[at]!.effect))
const firstOfEach = [...all.keys()].filter((at) => at % 10 === 0)

const CAMPAIGNS: [title: string, attacks: number[], confinement: Confinement][] = [
  ['by default', ofEffect((effect) => effect !== 'sent'), DEFAULTS],
  ['with read: []', ofEffect((effect) => effect === 'read'), { ...DEFAULTS, read: [], isClosed: false }],
  ['with one host', ofEffect((effect) => effect === 'sent'), { ...DEFAULTS, network: 'hosts' }],
  [
    'by the proxy, with one host',
    ofEffect((effect) => effect === 'sent'),
    { ...DEFAULTS, network: 'hosts', env: { NO_PROXY: '', no_proxy: '' } },
  ],
  ['as another user', isRoot ? firstOfEach : [], { ...DEFAULTS, network: 'hosts', uid: NOBODY }],
]
const batches = CAMPAIGNS.flatMap(([title, attacks, confinement]) =>
  Array.from({ length: Math.ceil(attacks.length / BATCH) }, (_, at) => ({
    title,
    number: at + 1,
    confinement,
    batch: attacks.slice(at * BATCH, (at + 1) * BATCH),
  })),
)

describe.concurrent(`attacks of the corpus${ofPoints}`, () => {
  test.each(batches)(
    'of batch $number have no effect outside the sandbox $title',
    async ({ batch, confinement }) => {
      const folder = visibleFolder()
      try {
        const runs = await runConfined(join(folder.path, 'batch'), batch, confinement)
        const escaped = runs.filter(({ escapes }) => escapes.length > 0)
        expect(escaped.map(({ attack, escapes, output }) => ({ id: attack.id, escapes, output }))).toEqual([])
        // What a program does in its own project is for the policy, but for the settings of git.
        const isInside = ({ attack, output }: ConfinedRun) =>
          ['ran', 'removed'].includes(attack.effect) && !output.includes('.git/config')
        const idle = runs.filter((each) => isInside(each) && !each.hasEffect)
        expect(idle.map(({ attack, output, exitCode }) => ({ id: attack.id, exitCode, output }))).toEqual([])
      } finally {
        // Attacks take permissions from folders.
        execFileSync('chmod', ['-R', 'u+rwX', folder.path])
        folder.remove()
      }
    },
    MINUTES * 60_000,
  )
})

afterAll(() => counted(`attacks of the corpus in a sandbox${ofPoints}`, batches.flatMap(({ batch }) => batch).length))
