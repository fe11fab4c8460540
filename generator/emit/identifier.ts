export { quote } from '../../runtime/schema/identifier.js';
