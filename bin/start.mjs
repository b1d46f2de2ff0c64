import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const COMMANDS = new URL('../dist/commands.js', import.meta.url)
/** Emptied by a build. Node's default is a temporary folder that other users can write to. */
const COMPILED = new URL('../dist/compiled', import.meta.url)

export async function start(name) {
  if (existsSync(COMMANDS)) {
    module.enableCompileCache?.(fileURLToPath(COMPILED))
    const { run } = await import(COMMANDS.href)
    await run(name, process.argv.slice(2))
  } else {
    process.stderr.write(
      'error: the commands are not built yet (dist/commands.js is missing)\nhint: run "npm ci" in the checkout; it installs and builds\n',
    )
    process.exitCode = 1
  }
}
