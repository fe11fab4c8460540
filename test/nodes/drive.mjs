import { drive } from '../client/drive.mjs';

// Run by other versions of Node: node drive.mjs ROOT TOKEN
const [root, token] = process.argv.slice(2);
console.log(JSON.stringify(await drive(root, token)));
