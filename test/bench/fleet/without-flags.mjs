// Imported before a daemon: it takes none of the flags by which it keeps its heap small.
import { syncBuiltinESMExports } from 'node:module'
import v8 from 'node:v8'

v8.setFlagsFromString = () => undefined
syncBuiltinESMExports()
