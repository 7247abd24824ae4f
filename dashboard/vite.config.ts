import { defineConfig } from 'vite'

// A test run sets NODE_ENV=test, which would give a slower and larger development build.
if (process.argv.includes('build')) process.env.NODE_ENV = 'production'

export default defineConfig({
  root: import.meta.dirname,
  // Uses the client's source, so that changes need no separate build.
  resolve: { conditions: ['risiti-source', 'module', 'browser', 'production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  build: {
    target: 'es2022',
    // No inlined assets, because the page's content policy forbids inline styles and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(
      ['/a', '/b', '/i', '/n', '/sandbox', '/dev'].map((path) => [path, 'http://127.0.0.1:4000']),
    ),
  },
})
