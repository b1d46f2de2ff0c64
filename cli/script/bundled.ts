// Loads a program that the build wrote as one script, with the code that the compiler made of it then: a daemon spends a
// fifth of its start on compiling. What the compiler of another Node made is passed over.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, Script } from 'node:vm'

/**
 * What the script at `file` exports. `given` are modules it asks for by name and which `require` cannot load, since
 * they are ES modules.
 */
export function bundled<Exports>(file: URL, given: Readonly<Record<string, unknown>>): Exports {
  const path = fileURLToPath(file)
  const cache = `${path}.${process.version}-${process.arch}`
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    ...(existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const near = createRequire(file)
  const module = { exports: {} as Exports }
  const load = script.runInThisContext() as (...of: unknown[]) => void
  load(module.exports, (name: string) => given[name] ?? near(name), module, path, dirname(path))
  return module.exports
}
