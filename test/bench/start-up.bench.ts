// What a command costs before it does anything: `svc version` next to a bare node.
import { execFileSync } from 'node:child_process'
import { compare, conclude, median, timed } from './report.ts'

const RUNS = 21
const svc: number[] = []
const node: number[] = []
for (let run = 0; run <= RUNS; run++) {
  const ours = await timed(() => execFileSync('bin/svc', ['version'], { stdio: 'ignore' }))
  const bare = await timed(() => execFileSync(process.execPath, ['-e', '0'], { stdio: 'ignore' }))
  // The first pair fills the file cache.
  if (run === 0) continue
  svc.push(ours)
  node.push(bare)
}
compare({ what: `svc version, median of ${RUNS} pairs`, ours: median(svc), floor: median(node), unit: 'ms', bound: 2 })
conclude()
