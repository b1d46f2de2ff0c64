// A folder that another process replaces by a link and back, as fast as it can.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync } from 'node:fs'

const SWAP = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
const [folder, target] = process.argv.slice(1)
const parent = process.ppid
process.stdout.write('.')
while (process.ppid === parent) {
  renameSync(folder, folder + '-away')
  symlinkSync(target, folder)
  unlinkSync(folder)
  renameSync(folder + '-away', folder)
}
`

/** Runs `work` meanwhile, and restores the folder. The other process ends with this one. */
export async function whileSwapped(folder: string, target: string, work: () => Promise<void> | void): Promise<void> {
  const swapping = spawn(process.execPath, ['-e', SWAP, folder, target])
  await once(swapping.stdout, 'data')
  try {
    await work()
  } finally {
    swapping.kill('SIGKILL')
    await once(swapping, 'exit')
    if (existsSync(`${folder}-away`)) {
      rmSync(folder, { force: true })
      renameSync(`${folder}-away`, folder)
    }
  }
}
