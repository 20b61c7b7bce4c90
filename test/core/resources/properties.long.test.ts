// Tests the kinds over many more blocks and history files than the fast suite does, and refreshes over many more estates.
import '../refresh/drift.property.test.ts';
import './conformance.test.ts';
import './messages/messages.test.ts';
